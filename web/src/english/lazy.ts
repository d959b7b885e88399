// biome-ignore-all lint/performance/noBarrelFile: all texts of a language that are loaded late are one object
export * from './connections.ts';
export * from './import.ts';
export * from './overview.ts';
