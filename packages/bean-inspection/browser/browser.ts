/** What the pages of the bean browser do beyond links and forms. Every page works without it. */
for (const menu of document.querySelectorAll<HTMLDetailsElement>('.menu')) menu.open = false;
