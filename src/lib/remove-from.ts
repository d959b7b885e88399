/**
 * Removes an item from a list; no-op where it is absent.
 *
 * Objects that live as long as a request are kept in lists, not in a Set or Map. When these resize, V8 leaves behind the old table with its
 * entries and a reference to the next table. Once one is in the old generation, it keeps all later tables, and requests answered long ago,
 * alive until the next full garbage collection.
 */
export function removeFrom<Item>(list: Item[], item: Item): void {
  const place = list.indexOf(item);
  if (place >= 0) list.splice(place, 1);
}
