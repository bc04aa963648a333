import { fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { blockStrayDoubleClicks } from './double-click.ts'

let letGo: () => void

beforeEach(() => {
  letGo = blockStrayDoubleClicks(document)
})

afterEach(() => letGo())

function press(element: Element, count: number) {
  fireEvent.mouseDown(element, { detail: count })
  fireEvent.click(element, { detail: count })
}

describe('a double click', () => {
  test('[SHELL-16] does not reach what its first click put under the pointer', () => {
    const opened = vi.fn()
    const confirmed = vi.fn()
    render(
      <>
        <button type="button" onClick={opened}>
          Close
        </button>
        <button type="button" onClick={confirmed}>
          Confirm
        </button>
      </>,
    )
    press(screen.getByText('Close'), 1)
    press(screen.getByText('Confirm'), 2)
    expect(opened).toHaveBeenCalledTimes(1)
    expect(confirmed).not.toHaveBeenCalled()
    press(screen.getByText('Confirm'), 1)
    expect(confirmed).toHaveBeenCalledTimes(1)
  })

  test('[SHELL-16] [SHELL-19] acts twice on one control, whichever of its words is hit', async () => {
    const next = vi.fn()
    render(
      <button type="button" onClick={next}>
        <span>Next</span> <span>page</span>
      </button>,
    )
    await userEvent.dblClick(screen.getByRole('button'))
    expect(next).toHaveBeenCalledTimes(2)
    press(screen.getByText('Next'), 1)
    press(screen.getByText('page'), 2)
    expect(next).toHaveBeenCalledTimes(4)
  })

  test('[SHELL-16] [SHELL-18] does not press a button whose label has changed', () => {
    const pressed = vi.fn()
    render(
      <button type="button" onClick={pressed}>
        Start
      </button>,
    )
    press(screen.getByRole('button'), 1)
    screen.getByRole('button').textContent = 'Stop'
    press(screen.getByRole('button'), 2)
    expect(pressed).toHaveBeenCalledTimes(1)
  })

  test('[SHELL-16] [SHELL-19] sorts there and back: a changed arrow is the same control', () => {
    const sorted = vi.fn()
    render(
      <button type="button" onClick={sorted}>
        Price <span aria-hidden>↑</span>
      </button>,
    )
    press(screen.getByRole('button'), 1)
    screen.getByText('↑').textContent = '↓'
    press(screen.getByRole('button'), 2)
    expect(sorted).toHaveBeenCalledTimes(2)
  })

  test('turns a switch on and off again by its label', () => {
    render(
      <label>
        <input type="checkbox" /> Email
      </label>,
    )
    press(screen.getByText('Email'), 1)
    expect(screen.getByRole('checkbox')).toBeChecked()
    press(screen.getByText('Email'), 2)
    expect(screen.getByRole('checkbox')).not.toBeChecked()
  })

  test('keyboard and script clicks are never blocked', () => {
    const pressed = vi.fn()
    render(
      <button type="button" onClick={pressed}>
        Confirm
      </button>,
    )
    screen.getByRole('button').click()
    expect(pressed).toHaveBeenCalledTimes(1)
  })
})
