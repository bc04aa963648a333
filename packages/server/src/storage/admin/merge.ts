/** Applies a change to a row; undefined fields stay. */
export function merge<Row extends object>(row: Row, change: Change<Row>): Row {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  // Every defined field of a change has the row's type.
  return { ...row, ...(Object.fromEntries(given) as Partial<Row>) }
}

export type Change<Row> = { [Field in keyof Row]?: Row[Field] | undefined }
