import { type ConnectionAbilities, FILTER_OPERATORS, type RowFilter } from '@binnacle/contract'
import { type SubmitEvent, useState } from 'react'
import { Button } from '#ui/control/button.tsx'
import { SelectField, SwitchField, TextField } from '#ui/control/field.tsx'
import { copy } from './copy.ts'
import classes from './table-tools.module.css'

export interface RowFilterFormProps {
  columns: readonly string[]
  capabilities: ConnectionAbilities
  rowFilter: RowFilter
  onFilter: (rowFilter: RowFilter) => void
}

/** Sorts and filters the whole table, not only the page that is shown. */
export function RowFilterForm({ columns, capabilities, rowFilter, onFilter }: RowFilterFormProps) {
  const [edited, setEdited] = useState<Partial<RowFilterDraft>>({})
  // What is not edited follows the table, which is also sorted by a click on a title.
  const draft = { ...createDraft(rowFilter), ...edited }
  const update = (part: Partial<RowFilterDraft>) => setEdited({ ...edited, ...part })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onFilter(toRowFilter(draft))
    setEdited({})
  }
  const optionsOf = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }))
  const filterColumns = capabilities.filters?.map(({ column }) => column) ?? columns
  const operators = operatorsFor(capabilities, draft.column)
  // DB-38: another column may not offer the operator that was chosen for the last one.
  const pickColumn = (column: string) => {
    const offered = operatorsFor(capabilities, column)
    const operator = offered.includes(draft.operator) ? draft.operator : offered[0]
    update({ column, ...(operator && { operator }) })
  }
  return (
    <form className={classes.tools} onSubmit={submit}>
      {capabilities.sort && (
        <>
          <SelectField
            label={copy.sort}
            labelHidden
            value={draft.sort}
            options={[{ value: '', label: copy.noSort }, ...optionsOf(columns)]}
            onChange={(sort) => update({ sort })}
          />
          {draft.sort !== '' && (
            <SwitchField
              label={copy.descending}
              checked={draft.isDescending}
              onChange={(isDescending) => update({ isDescending })}
            />
          )}
        </>
      )}
      {capabilities.filter && (
        <>
          <SelectField
            label={copy.filter}
            labelHidden
            value={draft.column}
            options={[{ value: '', label: copy.noFilter }, ...optionsOf(filterColumns)]}
            onChange={pickColumn}
          />
          {draft.column !== '' && <Comparison draft={draft} operators={operators} onChange={update} />}
        </>
      )}
      <Button type="submit">{copy.apply}</Button>
    </form>
  )
}

/** DB-38: only filters that work on the connection. */
function operatorsFor({ filters }: ConnectionAbilities, column: string): readonly FilterOperator[] {
  if (filters === undefined) return FILTER_OPERATORS
  return filters.find((filter) => filter.column === column)?.operators ?? []
}

interface ComparisonProps {
  draft: RowFilterDraft
  operators: readonly FilterOperator[]
  onChange: (part: Partial<RowFilterDraft>) => void
}

/** The operator and its value; the null operators take no value. */
function Comparison({ draft, operators, onChange }: ComparisonProps) {
  return (
    <>
      <SelectField
        label={copy.operator}
        labelHidden
        value={draft.operator}
        options={operators.map((value) => ({ value, label: copy.operators[value] }))}
        onChange={(operator) => onChange({ operator })}
      />
      {takesValue(draft) && (
        <TextField
          label={copy.value}
          labelHidden
          placeholder={copy.value}
          value={draft.value}
          onChange={(value) => onChange({ value })}
        />
      )}
    </>
  )
}

type FilterOperator = (typeof FILTER_OPERATORS)[number]

/** Empty strings mean unsorted and unfiltered. */
interface RowFilterDraft {
  sort: string
  isDescending: boolean
  column: string
  operator: FilterOperator
  value: string
}

function createDraft(rowFilter: RowFilter): RowFilterDraft {
  return {
    sort: rowFilter.sort ?? '',
    isDescending: rowFilter.order === 'desc',
    column: rowFilter.filter_column ?? '',
    operator: rowFilter.filter_operator ?? 'contains',
    value: rowFilter.filter_value ?? '',
  }
}

function takesValue({ operator }: RowFilterDraft): boolean {
  return operator !== 'null' && operator !== 'not-null'
}

function toRowFilter({ sort, isDescending, column, operator, value }: RowFilterDraft): RowFilter {
  return {
    ...(sort !== '' && { sort, order: isDescending ? ('desc' as const) : ('asc' as const) }),
    ...(column !== '' && { filter_column: column, filter_operator: operator, filter_value: value }),
  }
}
