import { type ConnectionAbilities, FILTER_OPERATORS, type Narrowing } from '@binnacle/contract'
import { type SubmitEvent, useState } from 'react'
import { Button } from '#ui/control/button.tsx'
import { SelectField, SwitchField, TextField } from '#ui/control/field.tsx'
import { copy } from './copy.ts'
import { draftOf, type NarrowingDraft, narrowingOf, takesValue } from './narrowing-draft.ts'
import classes from './table-tools.module.css'

export interface NarrowingFormProps {
  columns: readonly string[]
  can: ConnectionAbilities
  narrowing: Narrowing
  onNarrow: (narrowing: Narrowing) => void
}

const operators = FILTER_OPERATORS.map((value) => ({ value, label: copy.operators[value] }))

/** Order and choice of the rows of the whole table, not of the page that is shown. */
export function NarrowingForm({ columns, can, narrowing, onNarrow }: NarrowingFormProps) {
  const [draft, setDraft] = useState(() => draftOf(narrowing))
  const put = (part: Partial<NarrowingDraft>) => setDraft({ ...draft, ...part })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onNarrow(narrowingOf(draft))
  }
  const named = columns.map((name) => ({ value: name, label: name }))
  return (
    <form className={classes.tools} onSubmit={submit}>
      {can.sort && (
        <>
          <SelectField
            label={copy.sort}
            labelHidden
            value={draft.sort}
            options={[{ value: '', label: copy.noSort }, ...named]}
            onChange={(sort) => put({ sort })}
          />
          {draft.sort !== '' && (
            <SwitchField
              label={copy.descending}
              checked={draft.isDescending}
              onChange={(isDescending) => put({ isDescending })}
            />
          )}
        </>
      )}
      {can.filter && (
        <>
          <SelectField
            label={copy.filter}
            labelHidden
            value={draft.column}
            options={[{ value: '', label: copy.noFilter }, ...named]}
            onChange={(column) => put({ column })}
          />
          {draft.column !== '' && <Comparison draft={draft} onPut={put} />}
        </>
      )}
      <Button type="submit">{copy.apply}</Button>
    </form>
  )
}

interface ComparisonProps {
  draft: NarrowingDraft
  onPut: (part: Partial<NarrowingDraft>) => void
}

/** With what the chosen column is compared; whether it is null asks for no value. */
function Comparison({ draft, onPut }: ComparisonProps) {
  return (
    <>
      <SelectField
        label={copy.operator}
        labelHidden
        value={draft.operator}
        options={operators}
        onChange={(operator) => onPut({ operator })}
      />
      {takesValue(draft) && (
        <TextField
          label={copy.value}
          labelHidden
          placeholder={copy.value}
          value={draft.value}
          onChange={(value) => onPut({ value })}
        />
      )}
    </>
  )
}
