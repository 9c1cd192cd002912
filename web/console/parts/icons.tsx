/** Line icons on a grid of 24, in the colour of the text around them. Every use also needs a text or label. */
const paths = {
  overview: 'M4 13h6V4H4zM14 20h6V11h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  chart: 'M4 20V4M4 20h16M8 16v-4M12.5 16V8M17 16v-6',
  wheel:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 3v6M12 15v6M3 12h6M15 12h6M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  players:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.6-3.6 3.2-5.5 6.5-5.5s5.9 1.9 6.5 5.5M16 4.5a3.3 3.3 0 0 1 0 6.2M18 14.7c1.9.7 3.1 2.4 3.5 5.3',
  prizes:
    'M4 11h16v9H4zM3 7h18v4H3zM12 7v13M12 7c-1.5-4-6.5-4-6 -1 .3 1 3 1 6 1zM12 7c1.5-4 6.5-4 6-1-.3 1-3 1-6 1z',
  calendar: 'M4 6h16v15H4zM4 11h16M8 3v5M16 3v5',
  codes:
    'M3 8a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2 2.5 2.5 0 0 0 0 8 2 2 0 0 1-2 2H5a2 2 0 0 1-2-2 2.5 2.5 0 0 0 0-8zM14 6v2.5M14 11v2M14 15.5V18',
  import: 'M12 3v11M8 10l4 4 4-4M4 16v3a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3',
  upload: 'M12 15V4M8 8l4-4 4 4M4 16v3a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3',
  developers: 'M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 4l-3 16',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM9 14.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  copy: 'M9 9h10v11H9zM15 9V5H5v11h4',
  trash: 'M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13M10 11v5M14 11v5',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  chevron: 'M6 9.5l6 6 6-6',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  undo: 'M8 5L4 9l4 4M4 9h9a6 6 0 0 1 0 12h-3',
  redo: 'M16 5l4 4-4 4M20 9h-9a6 6 0 0 0 0 12h3',
  warning: 'M12 4L2.5 20h19zM12 10v5M12 17.5v.01',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5M12 7.5v.01',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 21c.7-4.5 3.7-6.5 7.5-6.5s6.8 2 7.5 6.5',
  out: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L11.8 7.2M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.5-1.5',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 4.5v15l12-7.5z',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.5 2',
  key: 'M15 3a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM10.7 13.3L3 21M6 18l2.5 2.5M16.5 7.5v.01',
  webhook: 'M9 11.5a4 4 0 1 1 5.8-3.5l3 5.2M17 20a4 4 0 1 0-2.5-7M7 13a4 4 0 1 0 4 4.5h6.5',
  block: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM5.7 5.7l12.6 12.6',
  gift: 'M12 5v14M5 12h14',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  screen: 'M3 5h18v11H3zM8 20h8M12 16v4',
  history: 'M4 5v5h5M4.5 10a8 8 0 1 1-.5 4M12 8v4.5l3 1.8',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  bolt: 'M13 2.5L4.5 14H12l-1 7.5L19.5 10H12z',
  camera: 'M4 8h4l2-3h4l2 3h4v12H4zM12 10.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z',
  phone: 'M7 3h10v18H7zM11 18h2',
  mail: 'M3 6h18v13H3zM3 7l9 7 9-7',
  refresh: 'M20 5v5h-5M19.5 10a8 8 0 1 0 .5 4',
  book: 'M5 4h10a4 4 0 0 1 4 4v12H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11',
  close: 'M6 6l12 12M18 6L6 18',
  shop: 'M4 10v10h16V10M3 10l2-6h14l2 6zM9 20v-6h6v6',
} as const

export type IconName = keyof typeof paths

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="icon"
    >
      <path d={paths[name]} />
    </svg>
  )
}

export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="-50 -50 100 100" aria-hidden="true">
      <circle r="48" fill="#f59e0b" />
      <circle r="40" fill="#6d54ea" />
      <path
        d="M0 0V-40A40 40 0 0 1 34.6-20zM0 0l34.6 20A40 40 0 0 1 0 40zM0 0l-34.6 20a40 40 0 0 1 0-40z"
        fill="#e11d48"
      />
      <circle r="12" fill="#fff" />
    </svg>
  )
}
