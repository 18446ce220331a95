import { Link } from "./link.tsx";

/** Links to the parts of a view. */
export function Tabs(props: {
  parts: readonly { readonly to: string; readonly name: string; readonly isCurrent: boolean }[];
}) {
  return (
    <div class="tabs">
      {props.parts.map(({ to, name, isCurrent }) => (
        <Link key={to} to={to} class="tab" isCurrent={isCurrent}>
          {name}
        </Link>
      ))}
    </div>
  );
}
