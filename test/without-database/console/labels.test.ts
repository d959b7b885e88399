import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ALL_ENTITIES } from '../../../src/entities/entities.ts';
import { fieldLabel, readable, titleOf, wordsOf } from '../../../web/src/labels.ts';

const labels = readFileSync('web/src/labels.ts', 'utf8');

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

  it('the title of the list of an entity is the words for several of it, or made from its path', () => {
    assert.deepEqual(
      [titleOf('costCenter', 'cost-centers'), titleOf('meetingRoom', 'meeting-rooms')],
      ['Cost centres', 'Meeting rooms'],
    );
  });

  it('a cost centre has another label than the cost centre of a person', () => {
    const texts: Record<string, string> = JSON.parse(readFileSync('web/src/catalogues/de.json', 'utf8'));
    const [, text, context] = /costCenter: \{\s+label: t\('([^']+)', \{ context: '(\w+)'/.exec(labels) ?? [];
    assert.equal(texts[`${text} | ${context}`], 'Kostenstelle');
  });

  it('a number of objects begins with the number in each language, so that the rest is a title', () => {
    for (const language of ['de', 'fr']) {
      const texts: Record<string, string> = JSON.parse(readFileSync(`web/src/catalogues/${language}.json`, 'utf8'));
      for (const { name } of ALL_ENTITIES.filter(({ auditSubject }) => auditSubject)) {
        const source = /counted: .*?t\('([^']+)'/s.exec(labels.slice(labels.indexOf(`  ${name}: {`)))?.[1] ?? '';
        assert.match(
          texts[source] ?? '',
          /^\{count, plural, .*\{# [^}]+\} other \{# [^}]+\}\}$/,
          `${language} ${name}`,
        );
      }
    }
  });

  it('each entity of the audit trail has a specific text in the console', () => {
    for (const { name, auditSubject } of ALL_ENTITIES)
      if (auditSubject) assert.notEqual(wordsOf(name).named('X'), `${wordsOf(name).label} X`, name);
  });
});
