/** The path below which the service is called, without a slash at its end; empty for the root of a host. */
export const BASE_PATH = document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? '';

/** Returns the path of the shown page below {@link BASE_PATH}, with its query: what the router navigates to. */
export function currentPath(): string {
  return (location.pathname.slice(BASE_PATH.length) || '/') + location.search;
}
