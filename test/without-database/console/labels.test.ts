import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ALL_ENTITIES } from '../../../src/entities/entities.ts';
import { fieldLabel, readable, wordsOf } from '../../../web/src/labels.ts';

describe('labels of the console', () => {
  it('the label of an entity or a field without a text is made from its name', () => {
    assert.deepEqual(['costCenter', 'cost-centers', 'name'].map(readable), ['Cost center', 'Cost centers', 'Name']);
    assert.equal(fieldLabel('ownerId'), 'Owner');
    assert.equal(fieldLabel('costCode'), 'Cost code');
    const words = wordsOf('meetingRoom');
    assert.deepEqual(
      [words.label, words.named('Fleet'), words.some(), words.counted(2)],
      ['Meeting room', 'Meeting room Fleet', 'Meeting room', '2 Meeting room'],
    );
  });

  it('each entity of the audit trail has a specific text in the console', () => {
    for (const { name, auditSubject } of ALL_ENTITIES)
      if (auditSubject) assert.notEqual(wordsOf(name).named('X'), `${wordsOf(name).label} X`, name);
  });
});
