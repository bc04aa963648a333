import { type ChosenIndicator, INDICATORS } from './indicators.ts'

/** Name and settings, such as Bollinger 20, 2. */
export function titleOf({ name, settings }: ChosenIndicator): string {
  return `${INDICATORS[name].title} ${settings.join(', ')}`
}
