import * as React from "react";
type Props = { name: string; children?: React.ReactNode };
export const App = ({ name, children }: Props) => (
  <div className="app" {...rest} onClick={() => go(1)}>
    text &amp; more {name} {/* comment */}
    <><Item key={1} /></>{children && <b>{name as string}</b>}
  </div>
);
