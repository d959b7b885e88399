import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ALL_ENTITIES } from '../../../src/entities/entities.ts';
import { fieldLabel, readable, wordsOf } from '../../../web/src/labels.ts';

describe('labels of the console', () => {
  it('are words that the name makes, for an entity and a field without their own', () => {
    assert.deepEqual(['costCenter', 'cost-centers', 'name'].map(readable), ['Cost center', 'Cost centers', 'Name']);
    assert.equal(fieldLabel('ownerId'), 'Owner');
    assert.equal(fieldLabel('costCode'), 'Cost code');
    const words = wordsOf('costCenter');
    assert.deepEqual(
      [words.label, words.named('Fleet'), words.some(), words.counted(2)],
      ['Cost center', 'Cost center Fleet', 'Cost center', '2 Cost center'],
    );
  });

  it('are texts of their own for each entity of the audit trail', () => {
    for (const { name, auditSubject } of ALL_ENTITIES)
      if (auditSubject) assert.notEqual(wordsOf(name).named('X'), `${wordsOf(name).label} X`, name);
  });
});
