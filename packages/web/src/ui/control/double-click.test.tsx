import { fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { holdDoubleClicks } from './double-click.ts'

let letGo: () => void

beforeEach(() => {
  letGo = holdDoubleClicks(document)
})

afterEach(() => letGo())

function press(element: Element, count: number) {
  fireEvent.mouseDown(element, { detail: count })
  fireEvent.click(element, { detail: count })
}

describe('a double click', () => {
  it('[SHELL-16] does not reach what its first click put under the pointer', () => {
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

  it('[SHELL-16] acts twice on one control, whichever of its words is hit', async () => {
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

  it('[SHELL-16] does not press a button that meanwhile offers something else', () => {
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

  it('[SHELL-16] sorts there and back: an arrow that turns over is no other act', () => {
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

  it('turns a switch on and off again by its label', () => {
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

  it('keys and programs press what they will', () => {
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
