const PATHS = {
  overview: 'M3 20h18M6 17v-6M11 17V5M16 17v-9',
  profile: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-8 8c.6-3.6 3.8-6 8-6s7.400 2.400 8 6',
  companies: 'M4 20V6l8-3v17M12 9h8v11M3 20h18M8 8v.01M8 12v.01M8 16v.01M16 13v.01M16 16v.01',
  departments: 'M9 4h6v5H9zM3 15h6v5H3zM15 15h6v5h-6zM12 9v3M6 15v-3h12v3',
  policies: 'M4 20h4v-5h4v-5h4V5h4M4 20v-2',
  people:
    'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7Zm-7 9c.5-3.500 3.200-5.500 7-5.500s6.500 2 7 5.500M16 4.500a3.500 3.500 0 0 1 0 6M18.500 15c2 .8 3.200 2.500 3.500 5',
  bands: 'M4 20h16M6 20v-5h4v5M10 20V9h4v11M14 20V4h4v16',
  history: 'M12 3a9 9 0 1 1-8.500 6M3 4v5h5M12 7v5l3.500 2',
  keys: 'M15 4a5 5 0 1 0 0 10 5 5 0 0 0 0-10ZM11.500 12.500 4 20v-3M7 17l2 2',
  webhooks:
    'M12 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM6 16a3 3 0 1 0 0 .01M18 16a3 3 0 1 0 0 .01M11 10.500 7.500 14M13 10.500l3.500 3.500M9 17h6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  geography:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c2.500 2.700 3.500 5.700 3.500 9s-1 6.300-3.500 9c-2.500-2.700-3.500-5.700-3.500-9s1-6.300 3.500-9Z',
  search: 'M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12Zm4.500 10.500L20 20',
  clear: 'M6 6l12 12M18 6 6 18',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500 19 19M19 5l-1.500 1.500M6.500 17.500 5 19',
  moon: 'M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500Z',
  help: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM9.500 9.500a2.500 2.500 0 1 1 3.500 2.300c-.7.300-1 .8-1 1.700M12 17v.01',
  out: 'M10 4H5v16h5M9 12h11M16 8l4 4-4 4',
  previous: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon in the colour of the surrounding text, hidden from assistive technology. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
