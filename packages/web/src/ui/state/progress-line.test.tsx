import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ProgressLine } from './progress-line.tsx'

test('[SHELL-402] progress is shown as a bar and is no live region', () => {
  render(<ProgressLine title="Back up" progress={0.4} message="Copying" />)
  expect(screen.getByRole('progressbar', { name: 'Back up' })).toHaveAttribute('value', '40')
  expect(screen.queryByRole('status')).toBeNull()
})
