import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Tooltip } from './tooltip.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('[SHELL-13] a tooltip appears after 700 ms and not before', async () => {
  render(
    <Tooltip label="what it does">
      <button type="button">Act</button>
    </Tooltip>,
  )
  fireEvent.mouseEnter(screen.getByRole('button'))
  await advance(690)
  expect(screen.queryByRole('tooltip')).not.toBeInTheDocument()
  await advance(20)
  expect(screen.getByRole('tooltip')).toHaveTextContent('what it does')
  expect(screen.getByRole('button')).toHaveAccessibleDescription('what it does')
  fireEvent.mouseLeave(screen.getByRole('button'))
  expect(screen.queryByRole('tooltip')).not.toBeInTheDocument()
})

test('a tooltip comes by focus too and goes at Esc', async () => {
  render(
    <Tooltip label="what it does">
      <button type="button">Act</button>
    </Tooltip>,
  )
  fireEvent.focus(screen.getByRole('button'))
  await advance(700)
  expect(screen.getByRole('tooltip')).toBeInTheDocument()
  fireEvent.keyDown(screen.getByRole('button'), { key: 'Escape' })
  expect(screen.queryByRole('tooltip')).not.toBeInTheDocument()
})
