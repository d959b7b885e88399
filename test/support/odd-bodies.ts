/** The body of a request, and what it is. */
export type OddBody = readonly [what: 'no JSON' | 'no object' | 'an object', body: string | Buffer];

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** JSON that is damaged, each in one way; most after the model of the JSON Test Suite (RFC 8259). Two spaces between them. */
const DAMAGED = String.raw`
{  }  [  ]  {{  }}  [[  {]  [}  {}}  {{}  {}{}  {}[]  {}x  x{}  {} {}  {},  ,{}  {,}  {"a"}  {"a":}  {:1}  {"a" 1}  {"a":1,}  {"a":1,,}
{,"a":1}  {"a":1 "b":2}  {"a":1;"b":2}  {"a"::1}  {"a":1}}  {"a":{}  {"a":[}  {"a":]}  {"a":[1}  {"a":[1,]}  {"a":[,1]}  {"a":[1 2]}  {"a":(1)}
{a:1}  {a:"b"}  {'a':1}  {"a":'b'}  {1:1}  {null:1}  {[]:1}  {{}:1}  {"a":b}  {"a:1}  {a":1}  {"a":"b}  {"a":b"}  {"a":"b"c}  {"a":"b""c"}
{"a":tru}  {"a":True}  {"a":TRUE}  {"a":nul}  {"a":None}  {"a":undefined}  {"a":NaN}  {"a":Infinity}  {"a":-Infinity}  {"a":nan}  {"a":truefalse}
{"a":01}  {"a":-01}  {"a":+1}  {"a":.5}  {"a":1.}  {"a":-}  {"a":--1}  {"a":1-}  {"a":1e}  {"a":1e+}  {"a":e1}  {"a":1.e1}  {"a":.e1}  {"a":1e1.5}
{"a":0x10}  {"a":0b1}  {"a":0o7}  {"a":1_000}  {"a":1,000}  {"a":1n}  {"a":1f}  {"a":１}  {"a":½}  {"a":1/2}  {"a":1+1}  {"a":- 1}  {"a":1 .5}
{"a":"\x41"}  {"a":"\'"}  {"a":"\a"}  {"a":"\0"}  {"a":"\u"}  {"a":"\u1"}  {"a":"\u12"}  {"a":"\u123"}  {"a":"\u12G4"}  {"a":"\U0041"}  {"a":"\u{41}"}
{"a":"\"}  {"a":"\\\"}  {\"a\":1}  {"a":\"b\"}  {"a":/b/}  {"a":b()}  {"a":new Date()}  {"a":function(){}}  {"a":@b}  {"a":#b}  {"a":$b}  {"a":&b}
{/**/"a":1}  {"a":1}/**/  {"a":1}//  //{}  #{}  <!-- -->{}  ;{}  {};  ={}  ({})  x={}  callback({})  )]}',{}  while(1);{}  {"a":1}#x  {"a":1}null
["a":1]  [1,2  [1,,2]  [,]  [1]]  [a]  ["a]  ['a']  [1 true]  [1]x  "a  a"  'a'  a  -  +1  01  1.  .1  1e  0x1  1 2  1,2  "a""b"  tru  nulll  NULL
a=1  a=1&b=2  search=nepal  --x  <a/>  <?xml version="1.0"?>  %7B%7D  e30=  ﻿{}  \u007b\u007d  ｛｝  {“a”:1}  {‘a’:1}  {"a"：1}  {"a":1，"b":2}  {"a":1}\n  {"a":1}\0
`;

/** Bytes that are no JSON in UTF-8. */
const BYTES: readonly (string | Buffer)[] = [
  '\0',
  ' ',
  '\n',
  '\t \r\n',
  '\0{}',
  '{}\0',
  '{\0}',
  '{"a\0":1}',
  '{"a":"b\0"}',
  '{"a":"\n"}',
  '{"a":"\t"}',
  '{"a":"\x1f"}',
  '\u00a0{}',
  '{}\u00a0',
  '{\u2003}',
  '{\u2028}',
  '\u2028{}',
  '\x0b{}',
  '\x0c{}',
  '{\x0c}',
  '\x1e{}',
  '{"a":1\x08}',
  ...[
    '\xff',
    '\xfe\xff',
    '\xff\xfe{\0}\0',
    '\0{\0}',
    '\0\0\0{\0\0\0}',
    '{"a":"\xe9"}',
    '{"\xe9":1}',
    '{"a":"\xc0\xaf"}',
  ].map(latin1),
  ...[
    '{"a":"\xed\xa0\x80"}',
    '{"a":"\xf4\x90\x80\x80"}',
    '{"a":"\xf8\x88\x80\x80\x80"}',
    '{"a":"\xe2\x82"}',
    '\x80{}',
  ].map(latin1),
  ...[
    '{"a":"\xf0\x9f\x98"}',
    '{"a":"\xbf"}',
    '\x1f\x8b\x08\0\0\0\0\0',
    'PK\x03\x04',
    '\xa1aa\x01',
    '\x81\xa1a\x01',
  ].map(latin1),
  '{"a":1'.repeat(500),
  '{"a":'.repeat(10_000),
  '['.repeat(10_000),
  '{"a":['.repeat(5000),
  '"'.repeat(1001),
  '{"a":"'.padEnd(60_000, 'x'),
];

/** JSON that is no object. */
const NO_OBJECTS = String.raw`
[]  [1]  [{}]  [[]]  [null]  [{"search":"nepal"}]  ["search","nepal"]  null  true  false  0  -0  1  -1  1.5  1e2  1E-2  -1e-400  1e400  123456789012345678901234567890
""  "a"  "search"  "{}"  "{\"search\":\"nepal\"}"  "\u0000"  "\ud800"  "\ud83d\ude00"  [[[[[[[[[[]]]]]]]]]]  [1,"a",null,true,{}]
`;

/** JSON objects that are odd; FIELD stands for a field of the operation. */
const OBJECTS = String.raw`
{}  {"":1}  {" ":1}  {"a":{}}  {"a":[]}  {"a":null}  {"FIELD":null}  {"FIELD":0}  {"FIELD":-0}  {"FIELD":1.5}  {"FIELD":1e400}  {"FIELD":-1e400}  {"FIELD":1e-400}
{"FIELD":true}  {"FIELD":false}  {"FIELD":[]}  {"FIELD":{}}  {"FIELD":[[]]}  {"FIELD":["a"]}  {"FIELD":["a","b"]}  {"FIELD":{"FIELD":"a"}}  {"FIELD":{"toString":"a"}}
{"FIELD":{"length":3}}  {"FIELD":{"$gt":""}}  {"FIELD":{"0":"a"}}  {"FIELD":{"valueOf":1}}  {"FIELD":{"toJSON":1}}  {"FIELD":{"then":1}}  {"FIELD":{"__proto__":null}}
{"FIELD":123456789012345678901234567890}  {"FIELD":9007199254740993}  {"FIELD":4.0}  {"FIELD":1E0}  {"FIELD":"\u0000"}  {"FIELD":"\ud800"}  {"FIELD":"\udc00\ud800"}
{"FIELD":"\ud83d\ude00"}  {"FIELD":"\u202e"}  {"FIELD":"\ufeff"}  {"FIELD":"\uffff"}  {"FIELD":""}  {"FIELD":" "}  {"FIELD":"\t"}  {"FIELD":"null"}  {"FIELD":"[]"}
{"FIELD":"a","FIELD":"b"}  {"FIELD":"a","FIELD":null}  {"FIELD":1,"\u0046IELD":2}  {"FIELD\u0000":1}  {" FIELD":1}  {"field":1}  {"FIELD[]":1}  {"FIELD.a":1}
{"__proto__":{"FIELD":"a"}}  {"__proto__":null}  {"__proto__":1}  {"__proto__":[]}  {"constructor":{"prototype":{"FIELD":"a"}}}  {"constructor":null}  {"prototype":{}}
{"toString":1}  {"valueOf":null}  {"hasOwnProperty":1}  {"toJSON":1}  {"then":{}}  {"length":-1}  {"0":1}  {"-1":1}  {"1e3":1}  {"\u0000":1}  {"\ud800":1}
`;

const split = (text: string) => text.trim().split(/\n| {2}/);
const nested = (open: string, close: string, levels: number) =>
  `{"FIELD":${open.repeat(levels)}1${close.repeat(levels)}}`;

const DEEP = [31, 32, 33, 100, 1000, 10_000].flatMap((levels) => [
  nested('[', ']', levels),
  nested('{"a":', '}', levels),
]);
const LARGE = [
  `{${Array.from({ length: 5000 }, (_, number) => `"${number}":1`).join()}}`,
  `{"FIELD":[${'1,'.repeat(30_000)}1]}`,
  `{"FIELD":${'9'.repeat(60_000)}}`,
  `{"FIELD":"${'x'.repeat(60_000)}"}`,
  `{"FIELD":"${'\\u0041'.repeat(10_000)}"}`,
  `{"${'x'.repeat(60_000)}":1}`,
  `{"FIELD":"a"${' '.repeat(60_000)}}`,
  `{${'"FIELD":"a",'.repeat(2000)}"FIELD":"b"}`,
];

/**
 * Bodies that are malformed or odd, each up to 64 KiB.
 *
 * @param field a field that the operation reads
 */
export function oddBodies(field: string): OddBody[] {
  const named = (text: string) => text.replaceAll('FIELD', field);
  return [
    ...[...split(DAMAGED), ...BYTES].map((body): OddBody => ['no JSON', body]),
    ...split(NO_OBJECTS).map((body): OddBody => ['no object', body]),
    ...[...split(OBJECTS), ...DEEP, ...LARGE].map((body): OddBody => ['an object', named(body)]),
  ];
}
