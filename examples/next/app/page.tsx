export default function Page() {
  return <p>Pão quente às sete e às dezessete horas.</p>;
}
