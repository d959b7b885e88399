import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';

/** Names that need an explanation, each with the one that is used in its place. */
const REPLACED: Readonly<Record<string, string>> = {
  OwnThing: 'CompanyResource',
  ownThings: 'crud',
  listNewestFirst: 'listByCompany',
  placesSaid: 'attributes',
  toldFields: 'auditedFields',
  keyTold: 'keyColumns',
  tellingPlace: 'prefixErrors',
  auditedUpdateBeside: 'auditedUpdateWithExtension',
  nextTurn: 'yieldToEventLoop',
  takeTurn: 'yieldToEventLoop',
  READ_A_TURN: 'READ_BATCH',
  WRITTEN_A_TURN: 'WRITE_BATCH',
  inTurns: 'limitPipelining, pacedStream or alternately',
  keepAnAdmin: 'assertNotLastAdmin',
  keepASuperAdmin: 'assertNotLastSuperAdmin',
  keepPlaces: 'lockAssignable',
  refuseUnlessKept: 'assertFound',
  placeIn: 'matchRank',
  bySize: 'byPopulation',
  takesAway: 'deletesRows',
  removedBy: 'deleteFlag',
  giveIds: 'assignIds',
  takeFromStored: 'fillFromStored',
  leavingOthersBehind: 'orphansReferences',
  twiceInFile: 'duplicateInFile',
  notEvenAHeader: 'headerFormatError',
  whatIdentifies: 'missingKey',
  saysSomething: 'isNotBlank',
  MADE_BY_THEMSELVES: 'DERIVED_TABLES',
  whomItConcerns: 'auditSubjectColumns',
  orTaken: 'mapConflicts',
  orConflict: 'mapConflicts',
  createOnce: 'retryOnUniqueViolation',
  companyOfRow: 'getCompanyOrForbid',
  requireKnownCompany: 'assertCompanyVisible',
  givenBody: 'parseBody',
  GivenFields: 'RawFields',
  unknownFields: 'checkKnown',
  CheckedFields: 'Checked',
  lookAround: 'checkReadiness',
  isForAnyPage: 'allowAnyOrigin',
  keysAlone: 'apiKeyOnly',
  keysFinding: 'apiKeyWithLookup',
  askedBy: 'lookupKeyOf',
  needsNoSlot: 'releaseSlot',
  waitingForNothing: 'releaseSlot',
  UNCOUNTED: 'EXEMPT',
  whySwitchedOff: 'disableReason',
  Courier: 'WebhookClient',
  inWords: 'a name with format or summary',
  rowsInWords: 'formatRows',
  betweenThose: 'runShared',
  sentByStandard: 'rawResponse',
  listAsSent: 'streamedList',
  CompanyInFull: 'CompanyDetail',
  DepartmentInFull: 'DepartmentDetail',
  ApprovalPolicyInFull: 'ApprovalPolicyDetail',
  FeedPlace: 'FeedPosition',
  findPlace: 'findFeedPosition',
  markOf: 'fingerprintOf',
  cutSlowReaders: 'dropSlowReaders',
  MAX_TRIES: 'MAX_ATTEMPTS',
  Stretch: 'FeedRange',
  signInOffer: 'signInOptions',
  Said: 'a name of what was said',
};

/** Limits are called MAX_…, assertions assert…, and the companies of a caller are its scope. */
const PREFIXES: readonly [RegExp, string][] = [
  [/\b(?:MOST|LONGEST)(?=_[A-Z])[A-Z_]+\b/g, 'MAX_…'],
  [/\bexpect[A-Z]\w*\b/g, 'assert…'],
  [/\breach(?=: CompanyScope)/g, 'scope'],
];

const PLACES = ['src', 'web/src', 'test', 'bench', 'assets', 'docs', 'migrations'];
const NOT_WRITTEN_BY_HAND = ['src/client/schema.ts', 'test/clients/generated', 'bench/results', 'node_modules'];

it('code, tests and documentation use no replaced name', async () => {
  const known = new RegExp(`\\b(?:${Object.keys(REPLACED).join('|')})\\b`, 'g');
  const found: string[] = [];
  for (const folder of PLACES) {
    for (const name of await readdir(folder, { recursive: true })) {
      const path = join(folder, name);
      if (!/\.(?:tsx?|m?js|md|sql)$/.test(path) || path.endsWith('words.test.ts')) continue;
      if (NOT_WRITTEN_BY_HAND.some((part) => path.includes(part))) continue;
      // Sentences may begin with any of these words.
      const text = (await readFile(path, 'utf8')).replaceAll(/(?:\/\*\*|\* |[.:] )Said\b/g, '');
      for (const [word] of text.matchAll(known)) found.push(`${path}: ${word}, which is called ${REPLACED[word]}`);
      for (const [pattern, name] of PREFIXES) {
        for (const [word] of text.matchAll(pattern)) found.push(`${path}: ${word}, which is called ${name}`);
      }
    }
  }
  assert.deepEqual(found, []);
});

it('each type that the domain language names is a type of the code', async () => {
  const language = await readFile('docs/domain-language.md', 'utf8');
  const names = [...language.matchAll(/`([A-Z][a-z]\w+)`/g)].map(([, name]) => name);
  let code = '';
  for (const path of await readdir('src', { recursive: true })) {
    if (path.endsWith('.ts')) code += await readFile(join('src', path), 'utf8');
  }
  assert.ok(names.length > 5);
  assert.deepEqual(
    names.filter((name) => !new RegExp(`\\b(?:type|interface|class) ${name}\\b`).test(code)),
    [],
  );
});

/** Words of documentation, each with what is written instead. */
const PLAIN: readonly [RegExp, string][] = [
  [/\b(?:un)?told\b|\btells?\b/gi, 'reported, returns, describes'],
  [/\basked\b/gi, 'requested'],
  [/\bsaid\b/gi, 'given, stated'],
  [/\bwhom\b/gi, 'who, that'],
  [/\bst(?:ands?|ood)\b(?! still)/gi, 'is'],
  [/\bbeside\b/gi, 'with, next to'],
  [/\bby (?:itself|themselves)\b/gi, 'automatically'],
  [/\bof (?:its|their) own\b/gi, 'separate'],
  [/\bin the place of\b/gi, 'instead of'],
];

it('the pages of the documentation use plain words', async () => {
  const pages = (await readdir('docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  const found: string[] = [];
  for (const path of [...pages, 'README.md', 'CONTRIBUTING.md']) {
    // Addresses of links and code keep their names.
    const prose = (await readFile(path, 'utf8')).replaceAll(/```[\s\S]*?```|\]\([^)]*\)|`[^`\n]*`/g, '');
    for (const [pattern, instead] of PLAIN) {
      for (const [word] of prose.matchAll(pattern)) found.push(`${path}: ${word}; write ${instead}`);
    }
  }
  assert.deepEqual(found, []);
});

it('decision records have at most 150 words', async () => {
  const names = (await readdir('docs/decisions')).filter((name) => name.endsWith('.md'));
  assert.ok(names.length > 30);
  for (const name of names) {
    const words = (await readFile(join('docs/decisions', name), 'utf8')).trim().split(/\s+/).length;
    assert.ok(words <= 150, `${name} has ${words} words`);
  }
});
