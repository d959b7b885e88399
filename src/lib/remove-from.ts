/**
 * Takes an item out of a list; nothing happens where it is not in it.
 *
 * What comes and goes with each request stands in lists, not in a Set or Map: whenever one of these grows or shrinks, V8 leaves its former
 * table behind, with whatever stood in it and a reference to the next table. Once one of them has survived a few garbage collections, all that
 * follow survive too, until the next full one, and with them requests that were answered long ago.
 */
export function removeFrom<Item>(list: Item[], item: Item): void {
  const place = list.indexOf(item);
  if (place >= 0) list.splice(place, 1);
}
