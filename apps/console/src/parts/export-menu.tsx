import { Button, Menu } from "@mantine/core";
import { mdiChevronDown, mdiTrayArrowDown } from "@mdi/js";
import { useTexts } from "../texts/use-texts.tsx";
import classes from "./export-menu.module.css";
import { Icon } from "./icon.tsx";

/** A button that offers several tables. The browser downloads the chosen one, and the operator goes on meanwhile. */
export function ExportMenu({
  label,
  tables,
}: {
  /** What all of them are of. */
  label?: string;
  tables: readonly { name: string; what?: string; address: string }[];
}) {
  const { frame } = useTexts();
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          className={classes.touch}
          leftSection={<Icon path={mdiTrayArrowDown} />}
          rightSection={<Icon path={mdiChevronDown} size={18} />}
        >
          {frame.exportCsv}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {label !== undefined && <Menu.Label>{label}</Menu.Label>}
        {tables.map(({ name, what, address }) => (
          <Menu.Item key={address} component="a" href={address} download>
            {name}
            {what !== undefined && <span className={classes.what}>{what}</span>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
