import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Tabs } from './tabs.tsx'

const NAMES = ['all', 'working', 'filled']

function Example() {
  const [active, setActive] = useState('all')
  const tabs = NAMES.map((name) => ({ name, label: name }))
  return (
    <Tabs label="Orders" tabs={tabs} active={active} onChange={setActive}>
      the {active} orders
    </Tabs>
  )
}

test.each([
  ['{ArrowRight}', 'working'],
  ['{ArrowLeft}', 'filled'],
  ['{ArrowRight}{ArrowRight}{ArrowRight}', 'all'],
  ['{End}', 'filled'],
  ['{End}{Home}', 'all'],
])('[SHELL-120] %s chooses the tab %s, which has the focus', async (keys, name) => {
  const user = userEvent.setup()
  render(<Example />)
  await user.tab()
  await user.keyboard(keys)
  expect(screen.getByRole('tab', { selected: true })).toHaveTextContent(name)
  expect(screen.getByRole('tab', { name })).toHaveFocus()
  expect(screen.getByRole('tabpanel', { name })).toHaveTextContent(`the ${name} orders`)
})

test('[SHELL-120] the Tab key stops at the chosen tab alone', async () => {
  const user = userEvent.setup()
  render(<Example />)
  await user.click(screen.getByRole('tab', { name: 'working' }))
  await user.tab()
  expect(document.body).toHaveFocus()
  await user.tab()
  expect(screen.getByRole('tab', { name: 'working' })).toHaveFocus()
})
