import { act, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { SelectField, TextAreaField, TextField } from './field.tsx'

const FIELDS = [
  [
    'a line of text',
    <TextField key="text" label="Name" value="" hint="As in the list" onChange={() => {}} />,
  ],
  ['a text', <TextAreaField key="area" label="Name" value="" hint="As in the list" onChange={() => {}} />],
  [
    'a choice',
    <SelectField
      key="select"
      label="Name"
      value="a"
      options={[]}
      hint="As in the list"
      onChange={() => {}}
    />,
  ],
] as const

test.each(FIELDS)('[SHELL-400] the hint of %s is its description', (_, field) => {
  render(field)
  expect(screen.getByLabelText('Name')).toHaveAccessibleDescription('As in the list')
})

test('[SHELL-400] why a field was refused is its description in place of the hint', () => {
  render(<TextField label="Name" value="" hint="As in the list" error="Is taken." onChange={() => {}} />)
  expect(screen.getByLabelText('Name')).toHaveAccessibleDescription('Is taken.')
})

test('[SHELL-400] so is the note on a comma', () => {
  render(<TextField type="number" label="Price" value="" onChange={() => {}} />)
  const field = screen.getByLabelText('Price')
  // jsdom has neither of the two: the one event is what a browser sends before the text, the other types it.
  Object.assign(document, { execCommand: () => true })
  const event = new InputEvent('beforeinput', { data: '1,5', cancelable: true })
  act(() => void field.dispatchEvent(event))
  expect(field).toHaveAccessibleDescription('The comma was read as a decimal point.')
})
