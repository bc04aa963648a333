import { type Instrument, MANUAL_STRATEGY } from '@binnacle/contract'
import { memo, type ReactNode, useState } from 'react'
import { formatNumber } from '#format/number.ts'
import { Button } from '#ui/control/button.tsx'
import { SelectField, TextField } from '#ui/control/field.tsx'
import { Tabs } from '#ui/frame/tabs.tsx'
import { copy } from './copy.ts'
import classes from './order-filters.module.css'
import { hasFilter, ORDER_TABS, type OrderListView, type OrderTab, TAB_STATUS } from './order-view.ts'

export interface OrderFiltersProps {
  view: OrderListView
  /** By status; undefined until they are loaded. */
  counts: Readonly<Record<string, number>> | undefined
  instruments: readonly Instrument[]
  strategyNames: ReadonlyMap<string, string>
  onChange: (view: OrderListView) => void
  children: ReactNode
}

/** ORD-63: tabs with counts, and the filters above the list. */
export function OrderFilters(props: OrderFiltersProps) {
  const { view, counts, instruments, strategyNames, onChange, children } = props
  return (
    <Tabs
      label={copy.title}
      tabs={ORDER_TABS.map((name) => ({ name, label: labelOf(name, counts) }))}
      active={view.tab}
      onChange={(tab) => onChange({ ...view, before: '', tab })}
    >
      <FilterFields view={view} instruments={instruments} strategyNames={strategyNames} onChange={onChange} />
      {children}
    </Tabs>
  )
}

type FilterFieldsProps = Omit<OrderFiltersProps, 'counts' | 'children'>

/** Memoised: the counts of the tabs change with every order. */
const FilterFields = memo(function FilterFields(props: FilterFieldsProps) {
  const { view, instruments, strategyNames, onChange } = props
  const { filters } = copy
  const [isShown, setIsShown] = useState(hasFilter(view))
  const change = (part: Partial<OrderListView>) => onChange({ ...view, before: '', ...part })
  return (
    <>
      <div className={classes.toggle}>
        <Button kind="quiet" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {filters.toggle}
        </Button>
      </div>
      <div className={classes.filters} data-shown={isShown || undefined}>
        <SelectField
          label={filters.instrument}
          value={view.instrument}
          options={withChosen(view.instrument, [
            { value: '', label: filters.any },
            ...instruments.map(({ id }) => ({ value: id, label: id })),
          ])}
          onChange={(instrument) => change({ instrument })}
        />
        <SelectField
          label={filters.strategy}
          value={view.strategy}
          options={withChosen(view.strategy, [
            { value: '', label: filters.any },
            { value: MANUAL_STRATEGY, label: filters.manual },
            ...[...strategyNames].map(([value, label]) => ({ value, label })),
          ])}
          onChange={(strategy) => change({ strategy })}
        />
        <TextField label={filters.from} type="date" value={view.from} onChange={(from) => change({ from })} />
        <TextField label={filters.to} type="date" value={view.to} onChange={(to) => change({ to })} />
        {hasFilter(view) && (
          <Button kind="quiet" onClick={() => change({ instrument: '', strategy: '', from: '', to: '' })}>
            {filters.clear}
          </Button>
        )}
      </div>
    </>
  )
})

/** A linked view may name an instrument or a strategy that is no longer listed. */
function withChosen(chosen: string, options: { value: string; label: string }[]) {
  const isListed = options.some(({ value }) => value === chosen)
  return isListed ? options : [...options, { value: chosen, label: chosen }]
}

function labelOf(tab: OrderTab, counts: OrderFiltersProps['counts']): string {
  if (counts === undefined) return copy.tabs[tab]
  const status = TAB_STATUS[tab]
  const statuses = status === undefined ? Object.values(TAB_STATUS) : [status]
  const count = statuses.reduce((sum, each) => sum + (each === undefined ? 0 : (counts[each] ?? 0)), 0)
  return `${copy.tabs[tab]} ${formatNumber(count)}`
}
