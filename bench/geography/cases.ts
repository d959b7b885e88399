import { requestBytes } from '../support/load.ts';

/** A request whose answer both servers send, and the ratio to the bare server that is asked for. */
export interface BenchCase {
  name: string;
  goal: number;
  request: Buffer;
  /** What the bare server knows its answer by. */
  key: string;
  /** Whether the client has the answer already. */
  notModified: boolean;
}

const CITIES = '/api/cities/list';
const PAGE = 'isPaginationNeeded=true';

function get(name: string, goal: number, query: string, encoding = '', notModified = false): BenchCase {
  const path = `${CITIES}${query === '' ? '' : `?${query}`}`;
  const headers = {
    ...(encoding === '' ? {} : { 'accept-encoding': encoding }),
    ...(notModified ? { 'if-none-match': '"0123456789abcdef"' } : {}),
  };
  const status = notModified ? 304 : 200;
  return {
    name,
    goal,
    request: requestBytes('GET', path, { headers }),
    key: `GET ${path} ${encoding} ${status}`,
    notModified,
  };
}

function post(name: string, goal: number, input: object): BenchCase {
  const body = JSON.stringify(input);
  return {
    name,
    goal,
    request: requestBytes('POST', CITIES, { body }),
    key: `POST ${CITIES} ${body}`,
    notModified: false,
  };
}

const NEEDLES: readonly (readonly [string, object])[] = [
  ['1 letter, many hits', { search: 'a' }],
  ['1 letter, few hits', { search: 'ж' }],
  ['2 letters, many hits', { search: 'an' }],
  ['2 letters, few hits', { search: 'qz' }],
  ['3 letters, many hits', { search: 'san' }],
  ['3 letters, few hits', { search: 'xyz' }],
  ['6 letters, many hits', { search: 'santa ' }],
  ['6 letters, few hits', { search: 'bogota' }],
  ['2 letters in a state', { search: 'pu', stateId: 4008 }],
  ['3 letters in a country', { search: 'san', countryId: 233 }],
  ['6 letters in a state and country', { search: 'mumbai', stateId: 4008, countryId: 101 }],
  ['no needle, in a country', { countryId: 101 }],
  ['no needle at all', {}],
];

function query(parameters: object): string {
  return new URLSearchParams({ ...parameters }).toString();
}

export const CASES: readonly BenchCase[] = [
  ...NEEDLES.map(([name, input]) => get(`page of 10: ${name}`, 0.7, `${PAGE}&${query(input)}`)),
  ...NEEDLES.map(([name, input]) => post(`page of 10 by POST: ${name}`, 0.7, { isPaginationNeeded: true, ...input })),
  get('page of 1,000 cities', 0.85, `${PAGE}&limit=1000`),
  get('page of 1,000 cities: 1 letter', 0.85, `${PAGE}&limit=1000&search=a`),
  get('all cities, gzip', 0.95, '', 'gzip'),
  get('all cities, brotli', 0.95, '', 'br'),
  get('304: page of 10', 0.75, `${PAGE}&search=san`, '', true),
  get('304: all cities', 0.75, '', 'br', true),
];
