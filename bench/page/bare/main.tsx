/** The floor: the same page without a bell, and a plain button in its place. */
import { createRoot } from "react-dom/client";

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <header>
      <h1>Padaria</h1>
      <button type="button">Pedidos</button>
    </header>,
  );
}
