import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Gain } from './gain.tsx'

test.each([
  [-0.001, '$0.00', 'calm'],
  [0, '$0.00', 'calm'],
  [-3, '-$3.00', 'bad'],
  [3, '+$3.00', 'good'],
])('[POS-12] a result of %d is %s and %s', (amount, text, tone) => {
  render(<Gain amount={amount} />)
  expect(screen.getByText(text)).toHaveAttribute('data-tone', tone)
})
