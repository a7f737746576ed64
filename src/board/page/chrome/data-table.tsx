import type { ComponentChildren, JSX } from "preact";

interface DataTableProps {
  head: readonly string[];
  rows: readonly { key: string; cells: readonly ComponentChildren[] }[];
}

/** Renders a table with named columns. */
export function DataTable({ head, rows }: DataTableProps): JSX.Element {
  return (
    <table class="data-table">
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {cells.map((cell, index) => (
              <td key={head[index]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
