/** The row with the fields that a change gives; a field that it leaves out stays. */
export function merge<Row extends object>(row: Row, change: Change<Row>): Row {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  // Every given field has the type of the row's own.
  return { ...row, ...(Object.fromEntries(given) as Partial<Row>) }
}

export type Change<Row> = { [Field in keyof Row]?: Row[Field] | undefined }
