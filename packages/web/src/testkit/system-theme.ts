/** What the operating system prefers; jsdom has none. */
export const systemTheme: MediaQueryList = Object.assign(new EventTarget(), {
  matches: false,
  media: '(prefers-color-scheme: dark)',
  onchange: null,
  addListener: () => {},
  removeListener: () => {},
})

export function preferDark(matches: boolean): void {
  systemTheme.dispatchEvent(Object.assign(new Event('change'), { matches }))
}
