// biome-ignore-all lint/performance/noBarrelFile: all texts of a language are one object
export * from './company.ts';
export * from './connections.ts';
export * from './history.ts';
export * from './import.ts';
export * from './keys.ts';
export * from './overview.ts';
export * from './pages.ts';
export * from './people.ts';
export * from './profile.ts';
export * from './texts.ts';
