import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

type Column<Item> = { head: string; right?: boolean; cell: (item: Item) => ReactNode }

/** A table that becomes cards on a phone, and can be scrolled with the keyboard where it is too wide. */
export function DataTable<Item>(props: {
  label: string
  columns: Column<Item>[]
  items: Item[]
  keyOf: (item: Item) => string | number
}) {
  const align = (column: Column<Item>) => (column.right === true ? 'right' : 'left')
  // The roles are said aloud: what is laid out as cards is still a table.
  return (
    <div className="scroll" tabIndex={0} role="group" aria-label={props.label}>
      <Table className="table as-cards" role="table" aria-label={props.label}>
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {props.columns.map((column, index) =>
              column.head === '' ? (
                <Table.Td key={index} role="cell" />
              ) : (
                <Table.Th key={index} role="columnheader" ta={align(column)}>
                  {column.head}
                </Table.Th>
              ),
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {props.items.map((item) => (
            <Table.Tr key={props.keyOf(item)} role="row">
              {props.columns.map((column, index) => (
                <Table.Td
                  key={index}
                  role="cell"
                  data-label={column.head}
                  ta={align(column)}
                  {...(column.right === true ? { className: 'number' } : {})}
                >
                  {column.cell(item)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
