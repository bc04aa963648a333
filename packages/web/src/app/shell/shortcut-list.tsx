import { Dialog } from '#ui/control/dialog.tsx'
import { Cell, Table } from '#ui/list/table.tsx'

export interface ShortcutListProps {
  onClose: () => void
}

const shortcuts = [
  ['Ctrl K or ⌘ K', 'Go to any screen'],
  ['?', 'This list'],
  ['Esc', 'Close a dialog; nothing is changed'],
  ['Tab, Shift Tab', 'Next or previous control'],
  ['Arrow keys', 'Move between tabs, or in the list of screens'],
  ['Ctrl Enter or ⌘ Enter', 'Run the query in the SQL editor'],
] as const

export function ShortcutList({ onClose }: ShortcutListProps) {
  return (
    <Dialog title="Keyboard shortcuts" opened onClose={onClose}>
      <Table label="Keyboard shortcuts" columns={[{ title: 'Keys' }, { title: 'What they do' }]}>
        {shortcuts.map(([keys, effect]) => (
          <tr key={keys}>
            <Cell mono>{keys}</Cell>
            <Cell>{effect}</Cell>
          </tr>
        ))}
      </Table>
    </Dialog>
  )
}
