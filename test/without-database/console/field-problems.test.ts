import assert from 'node:assert/strict';
import { it } from 'node:test';
import { brandColor } from '../../../src/entities/brand.ts';
import { fieldDefinition } from '../../../src/entities/field-definition.ts';
import { legalEntity } from '../../../src/entities/legal-entity.ts';
import { entityFields, problemsIn } from '../../../web/src/parts/form-fields.ts';

const problemsOf = (entity: Parameters<typeof entityFields>[0], typed: Readonly<Record<string, string>>) =>
  Object.values(problemsIn(entityFields(entity, Object.keys(typed)), typed, {}));

it('a form with a value that breaks its rule says what is expected, and speaks of characters only where they are wrong', () => {
  assert.deepEqual(
    problemsOf(legalEntity, { countryCode: 'India', currency: 'Rupee', timeZone: 'Mumbai', name: 'A\u0000' }),
    [
      'Country must be a code of two letters such as IN.',
      'Currency must be a currency code of ISO 4217, such as INR or EUR.',
      'Time zone must be a time zone by its IANA name, such as Asia/Kolkata or UTC.',
      'Name contains characters that cannot be used.',
    ],
  );
  assert.deepEqual(problemsOf(fieldDefinition, { key: 'Shoe size', position: '-1' }), [
    'Key for programs must be 1 to 40 letters (A to Z) and digits that begin with a small letter, such as shoeSize.',
    'Position must be a whole number from 0 to 2147483647.',
  ]);
  const [colour = ''] = problemsOf({ fields: { brandColor: { kind: brandColor, column: 'c' } } } as never, {
    brandColor: '#ffff00',
  });
  assert.match(colour, /^Colour of buttons and links must be a darker colour: its contrast to white is 1\.07:1/);
});
