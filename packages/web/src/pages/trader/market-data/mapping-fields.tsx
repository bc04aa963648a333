import { DATA_SET_INTERVALS, type DataSetUpload, type Instrument } from '@binnacle/contract'
import type { FormFailure } from '#form-failure.ts'
import { SelectField, SwitchField, TextField } from '#ui/control/field.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import { copy } from './copy.ts'
import classes from './import-dialog.module.css'
import {
  BAR_COLUMNS,
  columnNames,
  type ImportForm,
  type MappedColumn,
  TICK_COLUMNS,
  TIME_UNITS,
} from './import-form.ts'

export interface MappingFieldsProps {
  upload: DataSetUpload
  instruments: readonly Instrument[]
  form: ImportForm
  onChange: (form: ImportForm) => void
  failure: FormFailure | undefined
}

const { imports } = copy
const SAMPLE_ROWS = 3
const NOT_MAPPED = { value: '', label: copy.none }

/** MKT-51: which column is what. */
export function MappingFields({ upload, instruments, form, onChange, failure }: MappingFieldsProps) {
  const names = columnNames(upload, form.hasHeader)
  const options = [NOT_MAPPED, ...names.map((name) => ({ value: name, label: name }))]
  const set = (change: Partial<ImportForm>) => onChange({ ...form, ...change })
  const column = (name: MappedColumn) => (
    <SelectField
      key={name}
      label={imports.columns[name]}
      value={form.columns[name]}
      options={options}
      onChange={(chosen) => set({ columns: { ...form.columns, [name]: chosen } })}
    />
  )
  return (
    <>
      <div className={classes.fields}>
        <TextField
          label={imports.name}
          error={failure?.fields.name}
          value={form.name}
          onChange={(name) => set({ name })}
        />
        <SelectField
          label={imports.instrument}
          error={failure?.fields.instrument}
          value={form.instrument}
          options={instruments.map(({ id }) => ({ value: id, label: id }))}
          onChange={(instrument) => set({ instrument })}
        />
        <SelectField
          label={imports.mode}
          value={form.mode}
          options={[
            { value: 'create', label: imports.create },
            { value: 'add', label: imports.add },
          ]}
          onChange={(mode) => set({ mode })}
        />
        <SelectField
          label={imports.kind}
          value={form.kind}
          options={[
            { value: 'bars', label: imports.bars },
            { value: 'ticks', label: imports.ticks },
          ]}
          onChange={(kind) => set({ kind })}
        />
        <SelectField
          label={imports.time}
          value={form.time}
          options={options}
          onChange={(time) => set({ time })}
        />
        <SelectField
          label={imports.timeUnit}
          value={form.timeUnit}
          options={TIME_UNITS.map((value) => ({ value, label: value }))}
          onChange={(timeUnit) => set({ timeUnit })}
        />
        {(form.kind === 'bars' ? BAR_COLUMNS : TICK_COLUMNS).map(column)}
        {form.kind === 'bars' && (
          <SelectField
            label={imports.interval}
            value={form.interval}
            options={[
              { value: '', label: imports.guessed },
              ...DATA_SET_INTERVALS.map((value) => ({ value, label: value })),
            ]}
            onChange={(interval) => set({ interval })}
          />
        )}
      </div>
      {upload.format === 'csv' && (
        <SwitchField
          label={imports.hasHeader}
          checked={form.hasHeader}
          onChange={(hasHeader) => set({ hasHeader, time: '', columns: NO_COLUMNS })}
        />
      )}
      <Table label={imports.sample} columns={names.map((title) => ({ title }))}>
        {upload.sample.slice(0, SAMPLE_ROWS).map((row) => (
          <tr key={row.join()}>
            {names.map((name, index) => (
              <Cell key={name}>{row[index]}</Cell>
            ))}
          </tr>
        ))}
      </Table>
    </>
  )
}

const NO_COLUMNS: ImportForm['columns'] = {
  open: '',
  high: '',
  low: '',
  close: '',
  volume: '',
  price: '',
  quantity: '',
}
