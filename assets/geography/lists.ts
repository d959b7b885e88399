/** Lists items by each of their keys. */
export function listBy<Item, Key>(items: Iterable<Item>, keysOf: (item: Item) => readonly Key[]): Map<Key, Item[]> {
  const lists = new Map<Key, Item[]>();
  for (const item of items) {
    for (const key of new Set(keysOf(item))) {
      const list = lists.get(key);
      if (list === undefined) lists.set(key, [item]);
      else list.push(item);
    }
  }
  return lists;
}
