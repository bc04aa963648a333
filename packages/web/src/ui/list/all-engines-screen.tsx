import type { ReactNode } from 'react'
import { TextLink } from '#ui/control/text-link.tsx'
import { StatCards } from '#ui/figure/stat-cards.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { DataTable, type DataTableProps } from './data-table.tsx'

export interface AllEnginesScreenProps<Row> {
  title: string
  back: { to: string; label: string }
  /** The screen of one engine. */
  one: string
  /** What is not as it should be, a sentence each. */
  notices: readonly string[]
  /** Undefined once every engine has answered. */
  loading: string | undefined
  /** The figures before the table, each in a card. */
  figures: ReactNode
  table: Pick<DataTableProps<Row>, 'columns' | 'rows' | 'rowKey' | 'phoneRow'> & { empty?: string }
  /** Dialogs. */
  children?: ReactNode
}

/** ENGS-17: rows of all engines with figures over them. */
export function AllEnginesScreen<Row>(props: AllEnginesScreenProps<Row>) {
  const { title, back, one, notices, loading, figures, table, children } = props
  const { empty, ...rest } = table
  return (
    <Screen title={title} back={back} actions={<TextLink to={one}>One engine</TextLink>}>
      {notices.map((text) => (
        <Notice key={text} tone="bad" title={text} />
      ))}
      {loading !== undefined && <Loading text={loading} lines={6} />}
      <StatCards>{figures}</StatCards>
      {empty !== undefined && table.rows.length === 0 && loading === undefined && (
        <EmptyState title={empty} />
      )}
      {table.rows.length > 0 && (
        <Card>
          <DataTable label={title} {...rest} />
        </Card>
      )}
      {children}
    </Screen>
  )
}

export function describeMissing(engine: string): string {
  return `${engine} does not answer. Its rows are missing, or as old as its last answer.`
}
