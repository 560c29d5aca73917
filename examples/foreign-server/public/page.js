const button = document.querySelector("button");
const status = document.querySelector("[role=status]");

/** Gives what is to be said to the visitor. */
async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") return "Then come by and smell it.";
  await navigator.serviceWorker.register("worker.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  const applicationServerKey = await (await fetch("key")).json();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  await fetch("subscriptions", { method: "POST", body: JSON.stringify(subscription) });
  return "We will tell you.";
}

function say(words) {
  status.textContent = words;
}

button.addEventListener("click", () => {
  subscribe().then(say, (error) => say(`That did not work: ${error.message}`));
});
