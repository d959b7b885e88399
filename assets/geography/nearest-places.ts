import type { Position } from '../../src/features/geography/records.ts';
import { kilometres } from './distance.ts';
import { listBy } from './lists.ts';

/** Side of a cell in ten-millionths of a degree: 28 km. */
const CELL = 1e7 / 4;
/** Most columns on each side that may be within reach near the poles. */
const MAX_COLUMNS = 40;

/** Returns a function that finds the place nearest to a position within some kilometres, at most 25. */
export function nearestPlaces<Place extends { latitude: number; longitude: number }>(
  places: readonly Place[],
): (position: Position, within: number) => Place | undefined {
  const cellOf = (degrees: number) => Math.floor(degrees / CELL);
  const cells = listBy(places, ({ latitude, longitude }) => [`${cellOf(latitude)} ${cellOf(longitude)}`]);
  return (position, within) => {
    if (position.latitude === null || position.longitude === null) return undefined;
    const [row, column] = [cellOf(position.latitude), cellOf(position.longitude)];
    const shrink = Math.cos((position.latitude / 1e7) * (Math.PI / 180));
    const columns = Math.min(MAX_COLUMNS, Math.ceil(1 / Math.max(shrink, 1 / MAX_COLUMNS)));
    let nearest: Place | undefined;
    let least = within;
    for (let y = row - 1; y <= row + 1; y++) {
      for (let x = column - columns; x <= column + columns; x++) {
        for (const place of cells.get(`${y} ${x}`) ?? []) {
          const distance = kilometres(position, place);
          if (distance >= least) continue;
          least = distance;
          nearest = place;
        }
      }
    }
    return nearest;
  };
}
