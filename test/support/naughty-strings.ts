/** Texts that can be seen, two spaces between them. */
const VISIBLE = String.raw`
'  ''  "  ""  '"  ${'`'}  ' or '1'='1  ' or 1=1 --  '; drop table users; --  '); drop table users; --  " or ""="
\'; select 1 --  x' union select email from users --  ' || (select email from users limit 1) || '  '||pg_sleep(9)||'
; select pg_sleep(9)  1; commit; drop table users  $1  $2::text  $$  $$;select 1;$$  $tag$  :name  ?  ??  @x  E'\x41'
U&'\0041'  /*  */  --  --x  #  null  NULL  Null  nil  None  undefined  undef  (null)  true  false  TRUE  yes  no  on
off  NaN  nan  Infinity  -Infinity  INF  0  -0  00  1.0  1.50  $1.00  1/2  1E2  1E+02  1e1000  -1  +1  0x10  0b1  0o7
1,000  1 000  1_000  9007199254740993  -9223372036854775809  99999999999999999999999  12345678901234567890  %  %%  _
__  \  \\  \%  \_  %_\  100%  %s%n%d  %x%x%x%x  %00  %0a  %0d%0aSet-Cookie: a=b  %2e%2e%2f  %c0%af  %u0041  %zz  {}
{0}  {a}  {{7*7}}  {{constructor.constructor('return 1')()}}  []  [object Object]  <%= 7*7 %>  ${'$'}{7*7}  #{7*7}
#{1+1}  @{7*7}  *{7*7}  $(id)  |id  ||id  &id  &&id  ;id  > /tmp/x  < /dev/null  !!  $HOME  %USERPROFILE%
() { :;}; id  eval("1")  __import__('os')  System.exit(0)  <script>alert(1)</script>  <ScRiPt>alert(1)</ScRiPt>
<svg onload=alert(1)>  <img src=x onerror=alert(1)>  <a href="javascript:alert(1)">x</a>  "><script>alert(1)</script>
javascript:alert(1)  data:text/html,x  <!--  -->  <![CDATA[x]]>  ]]>  <?xml version="1.0"?>
<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>  &y;  &amp;  &lt;  &#0;  &#x41;  ../../etc/passwd  ..\..\
/dev/null  C:\Windows  \\server\share  CON  NUL  PRN  AUX  COM1  .htaccess  ~  ~root  file:///etc/passwd
http://127.0.0.1/  gopher://localhost  //evil.example  \u0000  \x00  \0  \n  \r\n  \t  \ud800  \u{110000}  __proto__
constructor  prototype  toString  valueOf  hasOwnProperty  length  then  id  users  admin  root  =1+1
=cmd|' /C calc'!A0  @SUM(A1)  a;b  a,b  a|b  a=b&c=d  ?a=b&c=d  a b  :  ;  ,  .  ..  ...  (  )  ()  [  ]  [^  {  }
(a+)+$  (?=x)  (?i)x  .*  *  *.*  +  ^$  \b  |  &  !  !=  ==  ===  <>  <=  =  ->  =>  ::  ://  Ω≈ç√∫˜µ  åß∂ƒ©˙∆˚¬
œ∑´®†¥¨ˆøπ“‘  ¡™£¢∞§¶•ªº–≠  ¸˛Ç◊ı˜Â¯˘¿  ÅÍÎÏ˝ÓÔÒÚÆ☃  ЁЂЃЄЅІЇЈЉЊЋЌЍЎЏ  Привет  Ελληνικά  Հայերեն  ქართული  田中さんにあげて下さい
株式会社  和製漢語  𠜎𠜱𠝹𠱓  사회과학원  パーティー  ｶﾅ  ｆｕｌｌ  ไทย  हिन्दी  க்ஷ  বাংলা  ខ្មែរ  አማርኛ  שלום  בְּרֵאשִׁית  العربية
الكل في المجمو عة  ﷺ  ﷽  ١٢٣  १२३  １２３  ²  ½  Ⅷ  ㎏  ㍿  Z̤͔ͧ̑̓a̶͕l̶̛g̷o  é  e${'\u0301'}  Å  ñ  İ  ı  ß  ẞ  ς  Σ  ǅ  ﬁ
ﬃ  ĳ  ŉ  ǰ  ΐ  Ⱥ  ɐ  ᴀ  ‘’“”  ‚„‹›«»  –—―  …  €₹￥  ( ͡° ͜ʖ ͡°)  (╯°□°）╯︵ ┻━┻  👍  👍🏽  👩‍👩‍👧‍👦  🏳️‍🌈  🇮🇳  🇺  #️⃣  ❤️
𝕿𝖊𝖘𝖙  Ｔｅｓｔ  Scunthorpe  Null Island  O’Brien  O'Brien  van der Berg  D'Arcy-Smith, Jr.
`;

const codePoints = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));

/** Alone, and within a text. */
const aloneAndWithin = (signs: readonly string[]) => signs.flatMap((sign) => [sign, `a${sign}b`]);

/** White space, and what looks like nothing. */
const BLANK = ['\u00a0', '\u1680', ...codePoints(0x2000, 0x200a), '\u202f', '\u205f', '\u3000', '\u2028', '\u2029'];
const INVISIBLE = ['\u00ad', '\u034f', '\u061c', '\u115f', '\u17b4', '\u180e', '\u3164', '\ufeff', '\uffa0', '\u2800'];
const DIRECTIONS = [...codePoints(0x200b, 0x200f), ...codePoints(0x202a, 0x202e), ...codePoints(0x2060, 0x2069)];
/** Almost not text at all. */
const ODD = ['\ufffd', '\ufffe', '\uffff', '\ufdd0', '\ue000', '\u{1fffe}', '\u{10fffd}', '\u{10ffff}', '\u{e0001}'];
const HALVES = ['\ud800', '\udbff', '\udc00', '\udfff', 'a\ud800', '\udfffb', 'a\ud83db', '\udc00\ud800'];
const COMBINING = [
  '\u0301',
  '\u0301\u0302\u0303',
  'a\u0301\u0327',
  'a\u0327\u0301',
  '\u0300a',
  `a${'\u0301'.repeat(40)}`,
];
const LONG = [
  'x'.repeat(50),
  'x'.repeat(100),
  'x'.repeat(101),
  'x'.repeat(255),
  'x'.repeat(256),
  'x'.repeat(257),
  'x'.repeat(5000),
  '😀'.repeat(100),
  '😀'.repeat(256),
  '😀'.repeat(1000),
  '\u0301'.repeat(500),
  'ﷺ'.repeat(200),
  ' '.repeat(300),
  `a${' '.repeat(300)}b`,
  '%'.repeat(256),
  '\\'.repeat(255),
  "'".repeat(256),
  '('.repeat(256),
];

/**
 * Texts that have broken programs, after the model of the Big List of Naughty Strings: each must be stored byte for byte or refused,
 * and searched for like any other.
 */
export const NAUGHTY_STRINGS: readonly string[] = [
  ...VISIBLE.trim().split(/\n| {2}/),
  ...aloneAndWithin([...codePoints(0, 0x1f), '\u007f', '\u0080', '\u0085', '\u009f']),
  ...aloneAndWithin([...BLANK, ...INVISIBLE, ...DIRECTIONS]),
  ...ODD,
  ...HALVES,
  ...COMBINING,
  ...LONG,
  'a\r\nb',
  '\u001b[31m',
  '\u202eevil',
  '\u2066x\u2069',
];
