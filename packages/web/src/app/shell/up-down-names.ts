/** THEME-6: what the control changes the colours of gains and losses to, by what they are now. */
export const UP_DOWN_NAMES = {
  'green-red': 'Gains and losses in blue and orange',
  'blue-orange': 'Gains and losses in green and red',
}
