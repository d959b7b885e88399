/** A position in degrees. */
export type Degrees = Record<'latitude' | 'longitude', number>;

/** Maximum number of locations around a position. */
export const MAX_NEAREST = 100;
const SCALE = 1e7;

/** Returns the point of a position on the unit sphere: the distance of two of them grows with that of the positions. */
function pointOf(latitude: number, longitude: number): readonly [x: number, y: number, z: number] {
  const [north, east] = [latitude, longitude].map((degrees) => (degrees * Math.PI) / 180) as [number, number];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}

/**
 * Returns a function that finds the locations nearest to a position, of some rows or of all, nearest first and at most {@link MAX_NEAREST}.
 * The points of all locations are computed on first use.
 *
 * @param latitude of each row in ten-millionths of a degree
 * @param unknown the value of a position that is not known
 * @param quarters the row of the city that a row is a quarter of: it comes before the nearest quarter
 */
export function nearestFinder(
  latitude: Int32Array,
  longitude: Int32Array,
  unknown: number,
  quarters: Readonly<Record<number, number>> = {},
) {
  let points: Float64Array | undefined;
  return (from: Degrees, rows: Uint32Array | undefined): Uint32Array => {
    if (points === undefined) {
      points = new Float64Array(3 * latitude.length);
      for (const [row, north] of latitude.entries()) {
        const degrees = north === unknown ? Number.NaN : north / SCALE;
        points.set(pointOf(degrees, (longitude[row] ?? 0) / SCALE), 3 * row);
      }
    }
    const [x, y, z] = pointOf(from.latitude, from.longitude);
    const [nearest, distances] = [new Uint32Array(MAX_NEAREST), new Float64Array(MAX_NEAREST).fill(Infinity)];
    let count = 0;
    const total = (rows ?? latitude).length;
    for (let index = 0; index < total; index++) {
      const row = rows === undefined ? index : (rows[index] ?? 0);
      const most = distances[MAX_NEAREST - 1] ?? 0;
      // Not a number, and never less, where the position is not known.
      const dz = (points[3 * row + 2] ?? 0) - z;
      if (!(dz * dz < most)) continue;
      const dx = (points[3 * row] ?? 0) - x;
      const dy = (points[3 * row + 1] ?? 0) - y;
      const distance = dx * dx + dy * dy + dz * dz;
      if (distance >= most) continue;
      let at = count < MAX_NEAREST ? count++ : MAX_NEAREST - 1;
      for (; at > 0 && (distances[at - 1] ?? 0) > distance; at--) {
        distances[at] = distances[at - 1] ?? 0;
        nearest[at] = nearest[at - 1] ?? 0;
      }
      distances[at] = distance;
      nearest[at] = row;
    }
    const found = nearest.subarray(0, count);
    const city = quarters[found[0] ?? -1] ?? -1;
    const place = found.indexOf(city);
    return place > 0 ? found.copyWithin(1, 0, place).fill(city, 0, 1) : found;
  };
}
