import type { Table } from '@binnacle/contract'
import { Fragment } from 'react'
import { PickItem, PickList } from '#ui/list/pick-list.tsx'
import { copy } from './copy.ts'
import classes from './table-list.module.css'

export interface TableListProps {
  tables: readonly Table[]
  selected: string | undefined
  onSelect: (table: string) => void
}

export function TableList({ tables, selected, onSelect }: TableListProps) {
  return (
    <div className={classes.window}>
      <PickList label={copy.tables}>
        {tables.map(({ name }) => (
          <PickItem key={name} isPicked={name === selected} onPick={() => onSelect(name)}>
            <span className={classes.name}>{breakable(name)}</span>
          </PickItem>
        ))}
      </PickList>
    </div>
  )
}

/** A long name wraps after slashes and dots, not within a word. */
function breakable(name: string) {
  return splitName(name).map(({ part, index }) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ))
}

function splitName(name: string) {
  return name.split(/(?<=[/.])/).map((part, index) => ({ part, index }))
}
