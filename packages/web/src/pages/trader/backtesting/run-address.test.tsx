import { act, renderHook } from '@testing-library/react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { readAddress, useRunAddress, writeAddress } from './run-address.ts'

const read = (text: string) => readAddress(new URLSearchParams(text))

test('[BT-24] the chosen run and the compared ones are in the address', () => {
  const address = { run: '12', sweep: '4', compared: ['3', '9'] }
  expect(readAddress(writeAddress(address))).toEqual(address)
  expect(read('')).toEqual({ run: undefined, compared: [] })
})

test('[BT-24] ids that cannot be, repeated ones and the seventh are left out', () => {
  expect(read('run=../1&compare=1,x,1,0,-2,3')).toEqual({ run: undefined, compared: ['1', '3'] })
  expect(read('compare=1,2,3,4,5,6,7').compared).toEqual(['1', '2', '3', '4', '5', '6'])
})

test('[BT-131] a change keeps one that the router has not drawn yet', () => {
  const page = renderAddress()
  act(() => {
    page.current.setAddress({ module: 'trial.ts' })
    flushSync(page.draw)
    page.current.setAddress({ run: '9' })
  })
  expect(page.drawn()).toBe('run=9&module=trial.ts')
})

test('[BT-24] runs that are chosen quickly one after the other are all compared', () => {
  const page = renderAddress()
  const { setCompared } = page.current
  act(() => {
    setCompared('3', true)
    setCompared('9', true)
    setCompared('4', true)
    setCompared('9', false)
  })
  expect(page.drawn()).toBe('compare=3%2C4')
})

function renderAddress() {
  let draw = () => {}
  const { result } = renderHook(
    () => {
      const [, setTimes] = useState(0)
      draw = () => setTimes((times) => times + 1)
      return useRunAddress()
    },
    { wrapper: MemoryRouter },
  )
  return {
    get current() {
      return result.current
    },
    draw: () => draw(),
    drawn: () => writeAddress(result.current.address).toString(),
  }
}
