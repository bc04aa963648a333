import '@mantine/core/styles/Tooltip.layer.css'
import { Tooltip as MantineTooltip } from '@mantine/core'
import type { ReactElement } from 'react'

/** SHELL-13: a tooltip waits this long before it shows. */
const OPEN_DELAY_MS = 700

export interface TooltipProps {
  label: string
  children: ReactElement
}

export function Tooltip({ label, children }: TooltipProps) {
  return (
    <MantineTooltip
      label={label}
      openDelay={OPEN_DELAY_MS}
      events={{ hover: true, focus: true, touch: false }}
    >
      {children}
    </MantineTooltip>
  )
}
