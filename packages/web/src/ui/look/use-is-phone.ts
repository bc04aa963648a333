import { useMediaQuery } from '@mantine/hooks'

/** Whether the window has the width of a phone, below which style sheets change the layout too. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 760px)', undefined, { getInitialValueInEffect: false })
}
