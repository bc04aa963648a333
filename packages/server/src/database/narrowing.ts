import type { Narrowing } from '@binnacle/contract'
import type { Driver, Filter, Sort } from './drivers/driver.ts'
import { StoreRefusal } from './drivers/store-refusal.ts'

/** The sort and filter of a request, as far as the store can do them. */
export function narrowingOf({ can }: Driver, asked: Narrowing): { sort?: Sort; filter?: Filter } {
  const { sort, order, filter_column, filter_operator = 'contains', filter_value = '' } = asked
  if (sort !== undefined && !can.sort) throw cannot('sort', 'sort')
  if (filter_column !== undefined && !can.filter) throw cannot('filter', 'filter_column')
  return {
    ...(sort !== undefined && { sort: { column: sort, descending: order === 'desc' } }),
    ...(filter_column !== undefined && {
      filter: { column: filter_column, operator: filter_operator, value: filter_value },
    }),
  }
}

function cannot(act: string, field: string): StoreRefusal {
  return new StoreRefusal('store.unsupported', `This kind of store cannot ${act} its rows.`, [
    { field: `query.${field}`, message: 'is not known to this kind of store' },
  ])
}
