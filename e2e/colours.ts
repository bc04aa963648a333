import type { Locator } from '@playwright/test'

export type Colour = 'green' | 'red' | 'yellow' | 'blue' | 'grey' | 'ink'

/** The colour of the text as a person would name it, whatever the theme's exact shade is. */
export async function textColour(locator: Locator): Promise<Colour> {
  return nameColour(await locator.evaluate((element) => getComputedStyle(element).color))
}

/** The same for a dot or a bar. */
export async function fillColour(locator: Locator): Promise<Colour> {
  return nameColour(await locator.evaluate((element) => getComputedStyle(element).backgroundColor))
}

const MOSTLY_GREY = 0.25

/** Upper bounds of the hue in degrees; red lies on both sides of zero. */
const HUES: [number, Colour][] = [
  [25, 'red'],
  [70, 'yellow'],
  [175, 'green'],
  [260, 'blue'],
  [360, 'red'],
]

function nameColour(css: string): Colour {
  const [red = 0, green = 0, blue = 0] = [...css.matchAll(/[\d.]+/g)].map(([part]) => Number(part) / 255)
  const high = Math.max(red, green, blue)
  const low = Math.min(red, green, blue)
  const light = (high + low) / 2
  // Plain text is nearly black on the light theme and nearly white on the dark one.
  if (light < 0.15 || light > 0.9) return 'ink'
  const saturation = (high - low) / (1 - Math.abs(2 * light - 1))
  if (saturation < MOSTLY_GREY) return 'grey'
  const hue = hueOf([red, green, blue], high, high - low)
  return HUES.find(([bound]) => hue < bound)?.[1] ?? 'red'
}

function hueOf([red, green, blue]: [number, number, number], high: number, range: number): number {
  if (high === red) return (60 * ((green - blue) / range) + 360) % 360
  if (high === green) return 60 * ((blue - red) / range) + 120
  return 60 * ((red - green) / range) + 240
}
