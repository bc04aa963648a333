import type { RowFilter } from '@binnacle/contract'
import type { Driver, Filter, Sort } from '@binnacle/stores'
import { StoreRefusal } from '@binnacle/stores'

/** The sort and filter of a request. Throws a StoreRefusal for what the store does not support. */
export function sortAndFilter(
  { capabilities }: Driver,
  rowFilter: RowFilter,
): { sort?: Sort; filter?: Filter } {
  const { sort, order, filter_column, filter_operator = 'contains', filter_value = '' } = rowFilter
  if (sort !== undefined && !capabilities.sort) throw unsupported('sort', 'sort')
  if (filter_column !== undefined && !capabilities.filter) throw unsupported('filter', 'filter_column')
  return {
    ...(sort !== undefined && { sort: { column: sort, descending: order === 'desc' } }),
    ...(filter_column !== undefined && {
      filter: { column: filter_column, operator: filter_operator, value: filter_value },
    }),
  }
}

function unsupported(act: string, field: string): StoreRefusal {
  return new StoreRefusal('store.unsupported', `This type of database cannot ${act} rows.`, [
    { field: `query.${field}`, message: 'is not supported by this type of database' },
  ])
}
