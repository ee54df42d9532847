// A button that changes between light and dark; without it the system decides.
for (const button of document.querySelectorAll("[data-theme-button]")) {
  const root = document.documentElement;
  const isDark = () =>
    (root.dataset.theme ?? "") === "dark" ||
    (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  const name = () => (button.textContent = isDark() ? "Light" : "Dark");
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    name();
  });
  name();
}
