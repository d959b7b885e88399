import { listNumbersOfIds, listsById } from './number-lists.ts';

/** A position in degrees. */
export interface Degrees {
  latitude: number;
  longitude: number;
}

/** Maximum number of locations around a position. */
export const MAX_NEAREST = 100;
const SCALE = 1e7;
const COLUMNS = 360;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Returns the square of half the chord between two positions on the unit sphere, which grows with their distance. */
function chord(from: Degrees, latitude: number, longitude: number): number {
  const north = Math.sin(radians(latitude - from.latitude) / 2);
  const east = Math.sin(radians(longitude - from.longitude) / 2);
  return north * north + Math.cos(radians(from.latitude)) * Math.cos(radians(latitude)) * east * east;
}

/**
 * Returns a function that finds the locations nearest to a position, nearest first and at most {@link MAX_NEAREST}. Its index, of cells of one
 * degree, is built on first use.
 *
 * @param latitude of each row in ten-millionths of a degree
 * @param unknown the value of a position that is not known
 */
export function nearestFinder(
  latitude: Int32Array,
  longitude: Int32Array,
  unknown: number,
): (from: Degrees, rows: Uint32Array | undefined) => Uint32Array {
  let cells: Map<number, Uint32Array> | undefined;
  const cellOf = (row: number, column: number) => row * COLUMNS + (((column % COLUMNS) + COLUMNS) % COLUMNS);
  const rowOf = (degrees: number) => Math.min(179, Math.floor(degrees + 90));

  function buildCells(): Map<number, Uint32Array> {
    const ids = Int32Array.from(latitude, (value, row) =>
      value === unknown ? -1 : cellOf(rowOf(value / SCALE), Math.floor((longitude[row] ?? 0) / SCALE + 180)),
    );
    return listsById(listNumbersOfIds(ids));
  }

  /** Returns the rows in rings of cells around a position, until there are enough that none outside can be nearer. */
  function around(from: Degrees): number[] {
    cells ??= buildCells();
    const [row, column] = [rowOf(from.latitude), Math.floor(from.longitude + 180)];
    for (let radius = 1; ; radius *= 2) {
      const widest = Math.min(89.5, Math.max(Math.abs(from.latitude - radius), Math.abs(from.latitude + radius)));
      const columns = Math.min(COLUMNS / 2, Math.ceil(radius / Math.cos(radians(widest))) + 1);
      const found: number[] = [];
      const limit = radians(radius) / 2;
      const within = Math.sin(Math.min(limit, Math.PI / 2)) ** 2;
      let near = 0;
      for (let y = Math.max(0, row - radius); y <= Math.min(179, row + radius); y++) {
        for (let x = column - columns; x < column + columns + (columns < COLUMNS / 2 ? 1 : 0); x++) {
          for (const one of cells.get(cellOf(y, x)) ?? []) {
            found.push(one);
            if (chord(from, (latitude[one] ?? 0) / SCALE, (longitude[one] ?? 0) / SCALE) <= within) near++;
          }
        }
      }
      if (near >= MAX_NEAREST || radius >= 180) return found;
    }
  }

  return (from, rows) => {
    const candidates = rows === undefined ? around(from) : Array.from(rows).filter((row) => latitude[row] !== unknown);
    const distances = new Map(
      candidates.map((row) => [row, chord(from, (latitude[row] ?? 0) / SCALE, (longitude[row] ?? 0) / SCALE)]),
    );
    const sorted = candidates.sort((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0) || a - b);
    return Uint32Array.from(sorted.slice(0, MAX_NEAREST));
  };
}
